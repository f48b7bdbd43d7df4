/**
 * The run of a signal as text: on one screen, or complete. Reading a run belongs in `command/Explain.ts`. Tests:
 * `packages/cli/test/command/Explain.test.ts`.
 */

import { visible } from "../Visible.ts"

/** A name and a value of the output. */
export type Line = readonly [name: string, value: string]

/** Formats a name and a text that may have several lines. */
export const linesOf = (name: string, text: string): ReadonlyArray<Line> =>
  visible(text)
    .trim()
    .split("\n")
    .map((line, index) => [index === 0 ? name : "", line])

/** Formats points with their sign. */
export const signed = (points: number): string => `${points > 0 ? "+" : ""}${points}`

/** The outcomes of rules in words. */
export const ruleWords = {
  matched: "matched",
  not_matched: "did not match",
  disabled: "is disabled",
  not_asked: "was not evaluated"
}
