import type { PipelineRunDetail } from "@leadloom/client"
import { propertyTable } from "../Table.ts"
import { visible } from "../Visible.ts"
import { type Line, linesOf, ruleWords, signed } from "./Line.ts"

const messageLines = ({ message }: PipelineRunDetail): ReadonlyArray<Line> => {
  if (message === null) return [["message", "deleted"]]
  const { body, channel, from, subject, timestamp } = message
  return [
    ["message", `${channel}${from === null ? "" : ` from ${visible(from)}`}, ${timestamp}`],
    ...(subject === null ? [] : linesOf("subject", subject)),
    ...linesOf("text", body.length > 1_000 ? `${body.slice(0, 1_000).toWellFormed()}…` : body)
  ]
}

const classificationLines = ({ classification, score }: PipelineRunDetail): ReadonlyArray<Line> => [
  [
    "classified",
    classification === null
      ? "not"
      : visible(
          `${classification.intent}, urgency ${classification.urgency}, ${classification.sentiment} (${classification.confidence}): ${classification.summary}`
        )
  ],
  ["score", score === null ? "-" : `${score.score}, ${score.tier}`],
  ...(score?.factors ?? []).map(({ name, points }): Line => ["", `${signed(points)} ${name}`])
]

const ruleLines = ({ matched_rules, rules }: PipelineRunDetail): ReadonlyArray<Line> => {
  if (rules === null) return matched_rules.map(({ name, rule_id }) => ["rule", `${rule_id} matched (${visible(name)})`])
  if (rules.length === 0) return [["rules", "no rules"]]
  return rules.map(({ outcome, reason, rule_id }) => ["rule", visible(`${rule_id} ${ruleWords[outcome]}: ${reason}`)])
}

const factLines = ({ facts }: PipelineRunDetail): ReadonlyArray<Line> =>
  Object.entries(facts ?? {})
    .filter(([name, value]) => value !== null && name !== "message.text" && name !== "message.subject")
    .map(([name, value], index) => [index === 0 ? "facts" : "", visible(`${name} = ${JSON.stringify(value)}`)])

const replyLines = ({ reply, written }: PipelineRunDetail): ReadonlyArray<Line> => {
  if (written === null) return [["reply", "no reply"]]
  const shown = reply === null ? "written but withheld" : reply.requires_approval ? "a draft" : "sent automatically"
  return [
    ["reply", `${shown}, by ${written.channel}`],
    ...linesOf("", written.text),
    ...written.guardrails.map(({ guardrail_id, outcome, reason }): Line => {
      return ["guardrail", visible(`${guardrail_id} ${outcome.replaceAll("_", " ")}: ${reason}`)]
    })
  ]
}

const modelLines = ({ model }: PipelineRunDetail): ReadonlyArray<Line> =>
  [model.classification, model.reply].flatMap((requested, index): ReadonlyArray<Line> => {
    if (requested === null) return []
    const what = index === 0 ? "classification" : "reply"
    const cost = `${requested.calls} calls, ${requested.input_tokens} input tokens, ${requested.output_tokens} output tokens`
    return [
      [
        "model",
        visible(`${what} ${requested.outcome}${requested.model === null ? "" : ` by ${requested.model}, ${cost}`}`)
      ]
    ]
  })

/** Formats a run completely. */
export const formatRun = (run: PipelineRunDetail): string =>
  propertyTable([
    ["run", `${run.run_id} of ${run.signal_id}, ${run.created_at}, configuration ${run.config_version}`],
    ["contact", run.contact_id],
    ["lead", run.lead_id ?? "-"],
    ...messageLines(run),
    ...classificationLines(run),
    ...modelLines(run),
    ...factLines(run),
    ...ruleLines(run),
    ...run.actions.map(({ outcome, reason, rule_id, type }): Line => {
      return ["action", visible(`${type} ${outcome} (rule ${rule_id}): ${reason}`)]
    }),
    ...replyLines(run),
    ...run.steps.map(({ outcome, reason, step }): Line => [step, visible(`${outcome}: ${reason}`)])
  ])
