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
"$(dirname "$0")/../compare-answers.sh" "$log" "$database" 20
