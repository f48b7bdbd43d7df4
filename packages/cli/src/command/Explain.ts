import type { RunReplay } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { tenantClient } from "../Connection.ts"
import { formatRun } from "../explain/FullRun.ts"
import type { Line } from "../explain/Line.ts"
import { summariseRun } from "../explain/ShortRun.ts"
import { propertyTable } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { visible } from "../Visible.ts"

interface TenantOption {
  readonly tenant: string
}

interface ExplainOptions extends TenantOption {
  readonly verbose?: boolean
}

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
    .description("show on one screen how the pipeline handled a signal, with reasons")
    .argument("<signal>", "a signal_id, event_id or message_id")
    .requiredOption("--tenant <id>", "tenant of the signal")
    .option("--verbose", "show everything: all facts, all rules with reasons, and the whole texts")
    .action(
      action<ExplainOptions>(terminal, async ({ options, connection, show }, signal = "") => {
        const run = await tenantClient(connection).pipeline.getRun(options.tenant, signal)
        show(run, () => (options.verbose === true ? formatRun(run) : summariseRun(run)))
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
