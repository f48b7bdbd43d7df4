import type { PipelineRunDetail } from "@leadloom/client"
import { propertyTable } from "../Table.ts"
import { visible } from "../Visible.ts"
import { type Line, signed } from "./Line.ts"

/** The width of a screen in columns. */
const screenWidth = 80
/** The width of the names in the first column. The longest is "classified". */
const nameWidth = 12
const textWidth = screenWidth - nameWidth

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1).toWellFormed()}…`

/** Breaks a text between words into at most `maxLines` lines of the screen. The last line ends with an ellipsis. */
const wrapped = (name: string, text: string, maxLines: number): ReadonlyArray<Line> => {
  const lines: Array<string> = []
  let rest = visible(text).replaceAll(/\s+/gu, " ").trim()
  while (rest.length > textWidth && lines.length < maxLines - 1) {
    const space = rest.lastIndexOf(" ", textWidth)
    const end = space > 0 ? space : textWidth
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, cut(rest, textWidth)].map((line, index) => [index === 0 ? name : "", line])
}

const one = (name: string, text: string): ReadonlyArray<Line> => wrapped(name, text, 1)

/** Keeps the first lines. The last permitted line states the number of the others. */
const first = (lines: ReadonlyArray<Line>, max: number): ReadonlyArray<Line> =>
  lines.length <= max ? lines : [...lines.slice(0, max - 1), ["", `… and ${lines.length - max + 1} more`]]

const seconds = (time: string): string => time.replace(/\.\d+Z$/u, "Z")

const messageLines = ({ message }: PipelineRunDetail): ReadonlyArray<Line> => {
  if (message === null) return one("message", "deleted")
  const { body, channel, from, subject, timestamp } = message
  return [
    ...one("message", `${channel}${from === null ? "" : ` from ${from}`}, ${seconds(timestamp)}`),
    ...(subject === null ? [] : one("subject", subject)),
    ...wrapped("text", body, 2)
  ]
}

const classificationLines = ({ classification, score }: PipelineRunDetail): ReadonlyArray<Line> => {
  const { confidence = 0, intent = "", sentiment = "", urgency = "" } = classification ?? {}
  const factors = score?.factors.map(({ name, points }) => `${name} ${signed(points)}`).join(", ")
  return [
    ...one(
      "classified",
      classification === null ? "not" : `${intent}, urgency ${urgency}, ${sentiment} (${confidence})`
    ),
    ...one("score", score === null ? "-" : `${score.score}, ${score.tier}: ${factors}`)
  ]
}

/** The maximum number of lines for rules, and for actions. */
const maxList = 3

const matchedRules = ({ matched_rules, rules }: PipelineRunDetail): ReadonlyArray<string> =>
  rules === null
    ? matched_rules.map(({ name, rule_id }) => `${rule_id} matched (${name})`)
    : rules.filter(({ outcome }) => outcome === "matched").map(({ reason, rule_id }) => `${rule_id} matched: ${reason}`)

const ruleLines = (run: PipelineRunDetail): ReadonlyArray<Line> => {
  const matched = matchedRules(run)
  const all = run.rules?.length ?? matched.length
  const lines = first(
    matched.flatMap((text) => one("rule", text)),
    maxList - 1
  )
  return [...lines, ...one(lines.length === 0 ? "rule" : "", `${matched.length} of ${all} rules matched`)]
}

const replyLines = ({ reply, written }: PipelineRunDetail): ReadonlyArray<Line> => {
  if (written === null) return one("reply", "no reply")
  const shown = reply === null ? "written but withheld" : reply.requires_approval ? "a draft" : "sent automatically"
  const objections = written.guardrails.filter(({ outcome }) => outcome !== "allow")
  return [
    ...one("reply", `${shown}, by ${written.channel}`),
    ...wrapped("", written.text, 3),
    ...first(
      objections.flatMap(({ guardrail_id, outcome, reason }) =>
        one("guardrail", `${guardrail_id} ${outcome.replaceAll("_", " ")}: ${reason}`)
      ),
      2
    )
  ]
}

/** Returns the step that decides about the reply, and the steps that were not done. */
const stepLines = ({ steps }: PipelineRunDetail): ReadonlyArray<Line> =>
  first(
    steps
      .filter(({ outcome, step }) => outcome !== "done" || step === "guard")
      .flatMap(({ outcome, reason, step }) => one(step, `${outcome}: ${reason}`)),
    2
  )

/** Formats the decisive parts of a run in at most 24 lines of 80 columns. */
export const summariseRun = (run: PipelineRunDetail): string =>
  propertyTable([
    ...one("run", `${run.run_id}, ${seconds(run.created_at)}, version ${run.config_version}`),
    ...one("contact", run.contact_id),
    ...one("lead", run.lead_id ?? "-"),
    ...messageLines(run),
    ...classificationLines(run),
    ...ruleLines(run),
    ...first(
      run.actions.flatMap(({ outcome, reason, rule_id, type }) =>
        one("action", `${type} ${outcome} (rule ${rule_id}): ${reason}`)
      ),
      maxList
    ),
    ...replyLines(run),
    ...stepLines(run),
    ["", "For all facts, rules and texts, add --verbose."]
  ])
