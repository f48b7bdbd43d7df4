import type { BacktestMove, BacktestReport, BacktestRequest } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { readJson, within } from "../ReadJson.ts"
import { propertyTable, table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { wholeNumber } from "../WholeNumber.ts"

interface BacktestOptions {
  readonly tenant: string
  readonly config?: string
  readonly rules?: string
  readonly guardrails?: string
  readonly since?: string
  readonly limit?: number
  readonly examples?: number
}

const share = (part: number, all: number): string => (all === 0 ? "" : ` (${Math.round((100 * part) / all)} %)`)

const moves = (title: string, list: ReadonlyArray<BacktestMove>): ReadonlyArray<string> => {
  if (list.length === 0) return []
  const rows = list.map(({ after, before, count, examples }) => [
    String(count),
    `${before ?? "-"} → ${after ?? "-"}`,
    examples[0]?.excerpt.replaceAll(/\s+/gu, " ") ?? ""
  ])
  return ["", table([title, "CHANGE", "EXAMPLE"], rows).trimEnd()]
}

interface Counts {
  readonly before: number
  readonly after: number
  readonly gained: number
  readonly lost: number
}

const tallies = (
  title: string,
  list: ReadonlyArray<Counts & { readonly label: string; readonly altered?: number }>
): ReadonlyArray<string> => {
  if (list.length === 0) return []
  const rows = list.map(({ after, altered, before, gained, label, lost }) => {
    const change = [
      ...(gained > 0 ? [`+${gained}`] : []),
      ...(lost > 0 ? [`-${lost}`] : []),
      ...((altered ?? 0) > 0 ? [`${altered} altered`] : [])
    ]
    return [label, String(before), String(after), change.join(" ")]
  })
  return ["", table([title, "NOW", "THEN", "MESSAGES"], rows).trimEnd()]
}

const format = (report: BacktestReport): string => {
  const { changed, examined, more, newest, oldest, skipped } = report
  const head = propertyTable([
    [
      "examined",
      `${examined} messages${oldest === null ? "" : `, ${oldest} to ${newest}`}${more ? "; more are available" : ""}`
    ],
    ["changed", `${changed}${share(changed, examined)}`],
    ...(skipped.unasked === 0 ? [] : [["skipped", `${skipped.unasked}: the decision needs a model`] as const]),
    ...(skipped.without_inputs === 0
      ? []
      : [["skipped", `${skipped.without_inputs}: the run has no stored inputs`] as const])
  ])
  const { actions, intents, replies, rewritten, rules, tiers } = report
  return `${[
    head.trimEnd(),
    ...moves("INTENT", intents),
    ...moves("TIER", tiers),
    ...tallies(
      "RULE",
      rules.map((rule) => ({ ...rule, label: `${rule.rule_id} ${rule.name}` }))
    ),
    ...tallies(
      "ACTION",
      actions.map((one) => ({ ...one, label: one.type }))
    ),
    ...moves("REPLY", replies),
    ...(rewritten.count === 0 ? [] : ["", `${rewritten.count} replies would have a different text.`])
  ].join("\n")}\n`
}

/** `leadloom backtest`: decides past messages again with another configuration and compares the decisions. */
export const backtestCommand = (terminal: Terminal): Command =>
  new Command("backtest")
    .description("test changed rules, guardrails or configuration on past messages; stores and sends nothing")
    .requiredOption("--tenant <id>", "tenant of the messages")
    .option("--config <file>", "complete configuration as printed by `config get`; - is standard input")
    .option("--rules <file>", "JSON list of rules, or an object with `rules`; replaces the rules of the configuration")
    .option("--guardrails <file>", "JSON list of guardrails, or an object with `guardrails`")
    .option("--since <time>", "time of the oldest message, ISO 8601 (default: 30 days ago)")
    .option("--limit <number>", "maximum number of messages, newest first (default: 10000)", wholeNumber(1, 100_000))
    .option("--examples <number>", "number of examples per change, with --json (default: 3)", wholeNumber(0, 20))
    .action(
      action<BacktestOptions>(terminal, async ({ options, connection, show }) => {
        const { config, examples, guardrails, limit, rules, since, tenant } = options
        if (config === undefined && rules === undefined && guardrails === undefined)
          throw usageFailure("Pass --config, --rules or --guardrails.")
        const read = async (file: string | undefined, name: string): Promise<object> =>
          file === undefined ? {} : { [name]: within(await readJson(terminal, file), name) }
        // The server validates the content of the files.
        const request: BacktestRequest = {
          ...(await read(config, "config")),
          ...(await read(rules, "rules")),
          ...(await read(guardrails, "guardrails")),
          since,
          limit,
          examples
        }
        const report = await adminClient(connection).backtest.run(tenant, request)
        show(report, () => format(report))
      })
    )
