// Prints the figures of the golden sentences, and the failures of the tuning half:
//
//   node --conditions=leadloom:source packages/core/test/golden/print.ts
//
// It never prints another sentence, because work on the word lists must not look at them.

import { judgeAll, tableOf } from "./Golden.ts"

const judged = judgeAll()
const show = ({ intent, rules, urgency }: { intent: string; urgency: string; rules: ReadonlyArray<string> }): string =>
  `${intent} ${urgency} [${rules.join(" ")}]`
const failures = judged.filter(({ expected, found, set }) => set === "tuning" && show(expected) !== show(found))
const lines = failures.map(
  ({ expected, found, language, preset, text }) =>
    `${preset} ${language}: ${text}\n  expected ${show(expected)}\n  found    ${show(found)}`
)
process.stdout.write(`${tableOf(judged)}\n\n${lines.join("\n")}\n`)
