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
integrity=$(sqlite3 -readonly "$database" 'PRAGMA integrity_check; PRAGMA foreign_key_check')
echo "integrity_check: $integrity"
"$(dirname "$0")/../compare-answers.sh" "$log" "$database" 10
[ "$integrity" = ok ]
