#!/usr/bin/env bash
# Runs WorldData on a new file, then looks at that file from outside: every answer beside what the
# sqlite3 tool says to the hand-written SQL, the tables' definitions, and the file's integrity.
#
#   Samples/WorldData/check.sh PROGRAM [DATABASE]
set -euo pipefail

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
database=${2:-$folder/world.sqlite}
log=$folder/log

"$program" "$database" | tee "$log"

echo
echo "The file as the sqlite3 tool sees it:"
sqlite3 -readonly "$database" .schema

asked=0
failed=0
compare() {
  [ -n "$sql" ] || return 0
  local found
  found=$(sqlite3 -readonly "$database" "$sql")
  asked=$((asked + 1))
  if [ "$found" != "$answer" ]; then
    failed=$((failed + 1))
    printf '\n%s\n--- XTLite\n%s\n--- sqlite3\n%s\n' "$question" "$answer" "$found"
  fi
}

question=''
sql=''
answer=''
while IFS= read -r line; do
  case $line in
    [0-9]*'. '*)
      compare
      question=$line
      sql=''
      answer=''
      ;;
    '   sql  '*) sql+="${line#   sql  } " ;;
    '   =    '*) answer+="${answer:+$'\n'}${line#   =    }" ;;
  esac
done <"$log"
compare

echo
integrity=$(sqlite3 -readonly "$database" 'PRAGMA integrity_check; PRAGMA foreign_key_check')
echo "integrity_check: $integrity"
echo "questions: $asked, different answers: $failed"
[ "$integrity" = ok ] && [ "$asked" -eq 10 ] && [ "$failed" -eq 0 ]
