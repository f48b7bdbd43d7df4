import type { ConfigChange } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

interface ScaffoldOptions {
  readonly tenant: string
  readonly preset: string
  readonly overwrite?: boolean
}

interface AuditOptions {
  readonly tenant: string
  readonly cursor?: string
}

/** `leadloom config presets`: what there is to start from. */
export const presetsCommand = (terminal: Terminal): Command =>
  new Command("presets").description("list the configurations to start from").action(
    action(terminal, async ({ connection, show }) => {
      const found = await adminClient(connection).config.presets()
      show(found, () =>
        table(
          ["PRESET", "RULES", "GUARDRAILS", "FOR"],
          found.presets.map(({ config, description, name }) => [
            name,
            String(config.rules.length),
            String(config.guardrails?.length ?? 0),
            description
          ])
        )
      )
    })
  )

/** `leadloom config scaffold`: a preset in place of the configuration. */
export const scaffoldCommand = (terminal: Terminal): Command =>
  new Command("scaffold")
    .description("put a preset in place of the configuration; time zone and country stay")
    .requiredOption("--tenant <id>", "the tenant")
    .requiredOption("--preset <name>", "one of leadloom config presets")
    .option("--overwrite", "also when somebody has changed the configuration; it stays as a version")
    .action(
      action<ScaffoldOptions>(terminal, async ({ options, connection, show }) => {
        const { overwrite = false, preset, tenant } = options
        const stored = await adminClient(connection).config.scaffold(tenant, { preset, overwrite })
        show(stored, () => `Saved version ${stored.version} from the preset ${preset}.\n`)
      })
    )

const entry = ({
  action: how,
  changed_at,
  changed_by,
  changes,
  from_version,
  omitted,
  preset,
  version
}: ConfigChange) =>
  [
    `version ${version} from ${from_version}, ${changed_at}, by ${changed_by} (${how}${preset === null ? "" : ` ${preset}`})`,
    ...changes.map(({ summary }) => `  ${summary}`),
    ...(omitted === 0 ? [] : [`  and ${omitted} more`])
  ].join("\n")

/** `leadloom config audit`: who changed what. */
export const auditCommand = (terminal: Terminal): Command =>
  new Command("audit")
    .description("print who changed the configuration, when and what, newest first")
    .requiredOption("--tenant <id>", "the tenant")
    .option("--cursor <cursor>", "where the page before ended")
    .action(
      action<AuditOptions>(terminal, async ({ options, connection, show }) => {
        const found = await adminClient(connection).config.audit(options.tenant, { cursor: options.cursor })
        const { entries, next_cursor: next } = found
        const more = next === null ? "" : `\nMore with --cursor ${next}\n`
        show(found, () =>
          entries.length === 0 ? "Nobody has changed it yet.\n" : `${entries.map(entry).join("\n")}\n${more}`
        )
      })
    )
