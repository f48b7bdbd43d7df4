import type { PipelineRunDetail } from "@leadloom/client"
import { Schema } from "effect"
import { channels, oneOf, optionalText } from "../Input.ts"
import { defineTool, type Hints, readOnly } from "../Tool.ts"

const modelOf = ({ model }: Pick<PipelineRunDetail, "model">) =>
  Object.fromEntries(
    Object.entries(model).map(([name, request]) => [
      name,
      request === null ? null : { outcome: request.outcome, reason: request.reason, model: request.model }
    ])
  )

/** The facts that repeat the message, which the result contains anyway. */
const repeatedFacts = ["message.text", "message.subject"]

/**
 * Returns the facts as one text. Contacts and partners choose names and values of metadata, so a field of a fact may
 * have the name of a generated field.
 */
const factsOf = ({ facts }: Pick<PipelineRunDetail, "facts">): string | null => {
  if (facts === null) return null
  const shown = Object.entries(facts).filter(([name, value]) => value !== null && !repeatedFacts.includes(name))
  return JSON.stringify(Object.fromEntries(shown))
}

const explain = ({ inputs: _, reply: __, ...run }: PipelineRunDetail) => ({
  ...run,
  facts: factsOf(run),
  model: modelOf(run)
})

export const explainRun = defineTool({
  name: "explain_run",
  title: "Explain a run",
  description:
    "Explain how the pipeline handled one message: classification, score with its factors, each rule with the reason why it matched or not, actions, guardrails, the written reply, and the outcome of each step. Accepts the signal_id or the message_id of the message.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: 1_000 },
  input: Schema.Struct({
    signal_id: Schema.String.annotate({ description: "The signal_id or the message_id of a message" })
  }),
  run: async ({ signal_id }, { client, tenantId }) => explain(await client.pipeline.getRun(tenantId, signal_id))
})

/** The tool may call a language model, which counts towards the plan. */
const costly: Hints = { ...readOnly, openWorldHint: true }

export const dryRunMessage = defineTool({
  name: "dry_run_message",
  title: "Dry-run a message",
  description:
    "Run the pipeline on an invented message with the current configuration: classification, score, matched rules, actions and reply. Nothing is stored or sent. A configured language model is called and counted.",
  rights: ["pipeline"],
  hints: costly,
  output: { untrusted: true },
  input: Schema.Struct({
    message: Schema.String.check(Schema.isPattern(/\S/u)).annotate({ description: "The text of the message" }),
    channel: oneOf(channels, "The channel of the message; default: chat"),
    contact: Schema.optionalKey(
      Schema.Struct({
        name: optionalText("The full name"),
        email: optionalText("The email address"),
        phone: optionalText("The phone number with its country code")
      }).annotate({ description: "The sender; default: unknown" })
    )
  }),
  run: async ({ channel = "chat", ...request }, { client, tenantId }) => ({
    ...(await client.pipeline.dryRun(tenantId, { ...request, channel }))
  })
})
