import type { Leadloom, StoredConfig } from "@leadloom/client"
import { LeadloomError } from "@leadloom/client"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Command } from "commander"
import { action } from "../../Action.ts"
import { adminClient } from "../../Connection.ts"
import { openEditor } from "../../Editor.ts"
import { CommandFailed, explain, type Explanation } from "../../Failure.ts"
import { report } from "../../Output.ts"
import { parseJson } from "../../ReadJson.ts"
import type { Terminal } from "../../Terminal.ts"
import { writtenConfig } from "./ConfigFile.ts"
import { formatSaved, type SavedConfig, saveWritten } from "./ConfigPut.ts"
import { formatDifferences } from "./FormatDifferences.ts"

interface EditOptions {
  readonly tenant: string
}

/** One editing session: a file with the text, which outlives a failure. */
interface Session {
  readonly terminal: Terminal
  readonly client: Leadloom
  readonly url: string
  readonly file: string
}

const textOf = ({ config }: StoredConfig): string => `${JSON.stringify(config, null, 2)}\n`

/** Creates a file that only the user can read. */
const createFile = async (base: StoredConfig): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), "leadloom-edit-")), "config.json")
  await writeFile(file, textOf(base), { mode: 0o600 })
  return file
}

const editOnce = async ({ client, file, terminal }: Session, base: StoredConfig): Promise<SavedConfig> => {
  await openEditor(terminal, file)
  const { config } = writtenConfig(parseJson(await readFile(file, "utf8"), "The text"))
  return saveWritten(client, base, { config, version: base.version })
}

/**
 * Returns the version that the next attempt replaces. After a concurrent change, that is the new version. Its changes
 * are shown, because the text does not contain them.
 */
const nextBase = async ({ client, terminal }: Session, base: StoredConfig, error: unknown): Promise<StoredConfig> => {
  if (!(error instanceof LeadloomError) || error.code !== "PRECONDITION_FAILED") return base
  // A second failure must not hide the place of the text.
  const current = await client.config.get(base.tenant_id).catch(() => null)
  if (current === null) return base
  const { compareTenantConfigs } = await import("@leadloom/server/internal/admin/CheckTenantConfig")
  const changes = compareTenantConfigs(base.config, current.config) ?? []
  terminal.err(`Version ${current.version} has these changes. Add them to your text, or it reverts them:\n`)
  terminal.err(formatDifferences(terminal, changes))
  return current
}

const wantsAgain = async ({ ask }: Terminal): Promise<boolean> =>
  ask !== null && !/^n/iu.test((await ask("Edit again? [Y/n] ")).trim())

const keptFailure = ({ file }: Session, base: StoredConfig, { code, details, exitCode, message }: Explanation) => {
  const again = `leadloom config put ${file} --tenant ${base.tenant_id} --if-version ${base.version}`
  const kept = `Nothing was saved. Your text is in ${file}. After a correction, save it with: ${again}`
  return new CommandFailed(exitCode, code, message === "" ? kept : `${message} ${kept}`, details)
}

const editUntilSaved = async (session: Session, base: StoredConfig): Promise<SavedConfig> => {
  try {
    return await editOnce(session, base)
  } catch (error) {
    const { terminal, url } = session
    const failure = explain(error, url)
    if (terminal.ask === null) throw keptFailure(session, base, failure)
    report(terminal, false, failure)
    const next = await nextBase(session, base, error)
    if (await wantsAgain(terminal)) return editUntilSaved(session, next)
    throw keptFailure(session, next, { ...failure, message: "", details: null })
  }
}

/** `leadloom config edit`: opens the configuration in an editor and saves it. */
export const editCommand = (terminal: Terminal): Command =>
  new Command("edit")
    .description("edit the configuration in $VISUAL or $EDITOR; saves it when the editor ends")
    .requiredOption("--tenant <id>", "the tenant")
    .action(
      action<EditOptions>(terminal, async ({ connection, options, show }) => {
        const client = adminClient(connection)
        const base = await client.config.get(options.tenant)
        const file = await createFile(base)
        const saved = await editUntilSaved({ terminal, client, url: connection.url, file }, base)
        await rm(dirname(file), { recursive: true })
        show(saved, () => formatSaved(saved))
      })
    )
