import type { PipelineRunDetail, RunReplay } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { tenantClient } from "../Connection.ts"
import { propertyTable } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { visible } from "../Visible.ts"

interface TenantOption {
  readonly tenant: string
}

type Line = readonly [name: string, value: string]

/** Formats a name and a text that may have several lines. */
const lines = (name: string, text: string): ReadonlyArray<Line> =>
  visible(text)
    .trim()
    .split("\n")
    .map((line, index) => [index === 0 ? name : "", line])

const signed = (points: number): string => `${points > 0 ? "+" : ""}${points}`

const messageLines = ({ message }: PipelineRunDetail): ReadonlyArray<Line> => {
  if (message === null) return [["message", "deleted"]]
  const { body, channel, from, subject, timestamp } = message
  return [
    ["message", `${channel}${from === null ? "" : ` from ${visible(from)}`}, ${timestamp}`],
    ...(subject === null ? [] : lines("subject", subject)),
    ...lines("text", body.length > 1_000 ? `${body.slice(0, 1_000).toWellFormed()}…` : body)
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

const ruleWords = {
  matched: "matched",
  not_matched: "did not match",
  disabled: "is disabled",
  not_asked: "was not evaluated"
}

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
    ...lines("", written.text),
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

const format = (run: PipelineRunDetail): string =>
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

const formatReplay = ({ config_version, differences, identical, signal_id }: RunReplay): string =>
  identical
    ? `The replay of ${signal_id} has the same result as the run, byte for byte (configuration ${config_version}).\n`
    : propertyTable([
        ["replay", `The replay of ${signal_id} has a different result (configuration ${config_version})`],
        ...differences.flatMap(({ part, replayed, stored }): ReadonlyArray<Line> => [
          [part, `was ${visible(stored)}`],
          ["", `is  ${visible(replayed)}`]
        ])
      ])

/** `leadloom explain`: prints the run of a signal, step by step, with the reasons. */
export const explainCommand = (terminal: Terminal): Command =>
  new Command("explain")
    .description("show how the pipeline handled a signal, step by step, with reasons (docs/reference/reasons.md)")
    .argument("<signal>", "a signal_id, event_id or message_id")
    .requiredOption("--tenant <id>", "tenant of the signal")
    .action(
      action<TenantOption>(terminal, async ({ options, connection, show }, signal = "") => {
        const run = await tenantClient(connection).pipeline.getRun(options.tenant, signal)
        show(run, () => format(run))
      })
    )

/** `leadloom replay`: checks whether a stored run still has the same result. */
export const replayCommand = (terminal: Terminal): Command =>
  new Command("replay")
    .description("repeat the decision of a signal from its stored inputs; calls no model and writes nothing")
    .argument("<signal>", "a signal_id, event_id or message_id")
    .requiredOption("--tenant <id>", "tenant of the signal")
    .action(
      action<TenantOption>(terminal, async ({ options, connection, show }, signal = "") => {
        const replay = await tenantClient(connection).pipeline.replayRun(options.tenant, signal)
        show(replay, () => formatReplay(replay))
      })
    )
