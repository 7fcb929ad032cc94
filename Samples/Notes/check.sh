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
+ 果园: 这是一颗苹果树
=
? apple
? 树
? 苹果
? 果树 这
- 3
? wine pear
? 'crust
- 1
- 1
=
COMMANDS
)
expect "$found" "added Apple pie: with cinnamon
added Pears: in red wine
added 果园: 这是一颗苹果树
3 果园: 这是一颗苹果树
2 Pears: in red wine
1 Apple pie: with cinnamon
found [Apple] pie: with cinnamon
found 果园: 这是一颗苹果[树]
found 果园: 这是一颗[苹果]树
found 果园: [这]是一颗苹[果树]
removed 3
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
echo '+ Plums: from outside' | "$program" "$file" >/dev/null
echo '=' >&3
exec 3>&-
wait $!
expect "$(cat "$folder/answers")" "2 Pears: in red wine
4 Plums: from outside
2 Pears: in red wine"
echo 'Notes: all as it should be'
