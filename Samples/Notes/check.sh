#!/usr/bin/env bash
# Runs Notes by its commands, and sees that it answers right and that the file holds the same.
#
#   Samples/Notes/check.sh PROGRAM
set -euo pipefail

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
file=$folder/notes.sqlite

expect() {
  if [ "$1" != "$2" ]; then
    printf 'expected\n%s\nfound\n%s\n' "$2" "$1"
    exit 1
  fi
}

found=$("$program" "$file" <<'COMMANDS'
+ Apple pie: with cinnamon
+ Pears: in red wine
=
? apple
? wine pear
? 'crust
- 1
- 1
=
COMMANDS
)
expect "$found" "added Apple pie: with cinnamon
added Pears: in red wine
2 Pears: in red wine
1 Apple pie: with cinnamon
found [Apple] pie: with cinnamon
found [Pears]: in red [wine]
nothing
removed 1
there is no 1
2 Pears: in red wine"

expect "$(sqlite3 "$file" 'SELECT title, body FROM Note')" 'Pears|in red wine'

# What another program writes comes up in the list while the program runs.
mkfifo "$folder/commands"
"$program" "$file" <"$folder/commands" >"$folder/answers" &
exec 3>"$folder/commands"
echo '=' >&3
for _ in $(seq 1 600); do
  [ -s "$folder/answers" ] && break
  sleep 0.1
done
sqlite3 -cmd '.timeout 5000' "$file" \
  "INSERT INTO Note (title, body, xt_createTime, xt_updateTime) VALUES ('Plums', 'from outside', 1, 1)"
echo '=' >&3
exec 3>&-
wait $!
expect "$(cat "$folder/answers")" "2 Pears: in red wine
3 Plums: from outside
2 Pears: in red wine"
echo 'Notes: all as it should be'
