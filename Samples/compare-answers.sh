#!/usr/bin/env bash
# Compares what a program answered with what the sqlite3 tool says to the SQL that it printed beside
# each answer. Fails where one differs, or where there are not as many as there should be.
#
#   Samples/compare-answers.sh LOG DATABASE QUESTIONS
set -euo pipefail

log=$1
database=$2
questions=$3

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
[ "$asked" -eq "$questions" ] && [ "$failed" -eq 0 ]
