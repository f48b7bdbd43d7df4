import type { Channel, PipelineRequest, PipelineResult } from "@leadloom/client"
import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { tenantClient } from "../Connection.ts"
import { propertyTable } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

interface DryRunOptions {
  readonly tenant: string
  readonly message: string
  readonly email?: string
  readonly phone?: string
  readonly name?: string
  readonly channel?: Channel
}

const channels = ["email", "sms", "voice", "chat", "webhook"] satisfies ReadonlyArray<Channel>

const format = ({ classification, score, matched_rules, actions_triggered, reply }: PipelineResult): string => {
  const factors = score?.factors.map(({ name, points }) => `${name} ${points > 0 ? "+" : ""}${points}`).join(", ")
  return propertyTable([
    [
      "classified",
      classification === null
        ? "no classifier is enabled"
        : `${classification.intent}, urgency ${classification.urgency}, ${classification.sentiment} (${classification.confidence})`
    ],
    ["score", score === null ? "-" : `${score.score}, ${score.tier}${factors ? ` (${factors})` : ""}`],
    ["rules", `${matched_rules} matched`],
    ["actions", actions_triggered.join(", ") || "-"],
    ["reply", reply === null ? "-" : `${reply.requires_approval ? "draft" : "automatic"} by ${reply.channel}`],
    ...(reply === null
      ? []
      : reply.text
          .trim()
          .split("\n")
          .map((line) => ["", line] as const))
  ])
}

const dryRun = (terminal: Terminal): Command =>
  new Command("dry-run")
    .description("classify, score, route and reply without storing or sending anything")
    .requiredOption("--tenant <id>", "tenant of the rules")
    .requiredOption("--message <text>", "text of the message")
    .option("--email <address>", "the sender's email address")
    .option("--phone <number>", "the sender's phone number")
    .option("--name <name>", "the sender's name")
    .addOption(new Option("--channel <channel>", "channel of the message").choices(channels))
    .action(
      action<DryRunOptions>(terminal, async ({ options, connection, show }) => {
        const { message, channel, name, email, phone } = options
        const request: PipelineRequest = { message, channel, contact: { name, email, phone } }
        const result = await tenantClient(connection).pipeline.dryRun(options.tenant, request)
        show(result, () => format(result))
      })
    )

/** `leadloom pipeline`: runs the pipeline on a test message. */
export const pipelineCommand = (terminal: Terminal): Command =>
  new Command("pipeline").description("test the pipeline").addCommand(dryRun(terminal))
