#!/usr/bin/env bash
# Runs Chinook, and sees that each answer is what the sqlite3 tool says to the hand-written SQL.
#
#   Samples/Chinook/check.sh PROGRAM DATABASE
set -euo pipefail

program=$1
database=$2
log=$(mktemp)
trap 'rm -f "$log"' EXIT

"$program" "$database" | tee "$log"

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
echo "questions: $asked, different answers: $failed"
[ "$asked" -eq 20 ] && [ "$failed" -eq 0 ]
