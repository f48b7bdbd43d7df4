import type { ConfigChange } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../../Action.ts"
import { adminClient } from "../../Connection.ts"
import { table } from "../../Table.ts"
import type { Terminal } from "../../Terminal.ts"

interface ScaffoldOptions {
  readonly tenant: string
  readonly preset: string
  readonly overwrite?: boolean
}

interface AuditOptions {
  readonly tenant: string
  readonly cursor?: string
}

/** `leadloom config presets`: the available starting configurations. */
export const presetsCommand = (terminal: Terminal): Command =>
  new Command("presets").description("list the presets").action(
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

/** `leadloom config scaffold`: replaces the configuration with a preset. */
export const scaffoldCommand = (terminal: Terminal): Command =>
  new Command("scaffold")
    .description("replace the configuration with a preset; keeps time zone and country")
    .requiredOption("--tenant <id>", "the tenant")
    .requiredOption("--preset <name>", "a name from leadloom config presets")
    .option("--overwrite", "replace a configuration that has been changed; the old version stays in the history")
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
  changed_by_user,
  changes,
  from_version,
  omitted,
  preset,
  version
}: ConfigChange) =>
  [
    `version ${version} from ${from_version}, ${changed_at}, by ${changed_by}${changed_by_user === null ? "" : ` as ${changed_by_user}`} (${how}${preset === null ? "" : ` ${preset}`})`,
    ...changes.map(({ summary }) => `  ${summary}`),
    ...(omitted === 0 ? [] : [`  and ${omitted} more`])
  ].join("\n")

/** `leadloom config audit`: the history of a configuration. */
export const auditCommand = (terminal: Terminal): Command =>
  new Command("audit")
    .description("list changes of the configuration with author and time, newest first")
    .requiredOption("--tenant <id>", "the tenant")
    .option("--cursor <cursor>", "cursor of the next page, from the previous page")
    .action(
      action<AuditOptions>(terminal, async ({ options, connection, show }) => {
        const found = await adminClient(connection).config.audit(options.tenant, { cursor: options.cursor })
        const { entries, next_cursor: next } = found
        const more = next === null ? "" : `\nNext page: --cursor ${next}\n`
        show(found, () =>
          entries.length === 0 ? "The configuration has no changes.\n" : `${entries.map(entry).join("\n")}\n${more}`
        )
      })
    )
