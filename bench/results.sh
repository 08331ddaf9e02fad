#!/usr/bin/env bash
# Makes RESULTS.md from the log of nightly.sh, its argument: what ran where, a table of the stages with their closing lines,
# then what each printed, the last 80 lines at most. The folder of the project becomes a dot.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
sed "s|$root|.|g; s/\r//g" "$1" | awk -F ' [|] ' '
  function code(text) { gsub(/[|]/, "\\|", text); return "`" text "`" }
  function add(list, what) { return list == "" ? what : list ", " what }
  /^@ date/     { head = head "* Date: " $2 "\n"; next }
  /^@ commit/   { head = head "* Commit: " $2 "\n"; next }
  /^@ compiler/ { head = head "* Compiler: " $2 "\n"; next }
  /^@ machine/  { head = head "* Machine: " $2 "\n"; next }
  /^@ reduced/  { reduced = reduced "* " $2 "\n"; next }
  /^@ left/     { left = add(left, $2); next }
  /^@ missing/  { missing = add(missing, $2); next }
  /^@ total/    { total = $2; next }
  /^@ begin/    { count++; name[count] = $2; command[count] = $3; lines = 0; on = 1; next }
  /^@ end/      { seconds[count] = $3; status[count] = $4; on = 0; kept[count] = lines; next }
  on && NF      { lines++; text[count, lines] = $0; if ($0 !~ /^make: /) closing[count] = $0 }
  END {
    print "# The last long run\n\nMade by `make nightly`: every number is of this one run, on a machine with other work; times are of the clock.\n"
    printf "%s", head
    if (total != "") print "* Stages: " total
    if (reduced != "") print "\n**Reduced in this run:**\n\n" reduced
    else print ""
    if (left != "") print "Left out of this run: " left ".\n"
    if (missing != "") print "Not in this Makefile: " missing ".\n"
    print "| stage | command | seconds | verdict | closing line |\n|---|---|---:|---|---|"
    for (i = 1; i <= count; i++)
      print "| " name[i] " | " code(command[i]) " | " seconds[i] " | " (status[i] == "" ? "cut off" : status[i] == 0 ? "pass" : "FAIL") " | " code(substr(closing[i], 1, 120)) " |"
    for (i = 1; i <= count; i++) {
      print "\n## " name[i] "\n\n```"
      first = kept[i] > 80 ? kept[i] - 79 : 1
      if (first > 1) print "(" first - 1 " lines before)"
      for (k = first; k <= kept[i]; k++) print text[i, k]
      print "```"
    }
  }'
