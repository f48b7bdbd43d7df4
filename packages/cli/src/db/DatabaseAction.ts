/**
 * The parts that all `leadloom db` commands share: the adapter to commander, progress and text formats. SQL does not
 * belong here; the operations are in `packages/store/src/admin`. Tests: `packages/cli/test/db` and
 * `packages/cli/test/command/Db.test.ts`.
 */
import type * as Administration from "@leadloom/server/internal/admin/Database"
import type { Command } from "commander"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed } from "../Failure.ts"
import { show } from "../Output.ts"
import { databaseUrl } from "../Secret.ts"
import type { Terminal } from "../Terminal.ts"

/** Options that every `db` command accepts. */
export interface DatabaseOptions {
  readonly json?: boolean
  readonly database?: string
}

/** The context of a `db` command's action. */
export interface DatabaseContext<Options> {
  readonly options: Options & DatabaseOptions
  readonly terminal: Terminal
  readonly admin: typeof Administration
  /** Returns the database URL from the option; without the option, from the environment. */
  readonly url: () => string
  /** Writes the result as JSON with `--json`, otherwise as text. */
  readonly show: (value: unknown, words: () => string) => void
}

/** Adapts an action to commander that works directly on a database, without a server. */
export const databaseAction =
  <Options = object>(terminal: Terminal, work: (context: DatabaseContext<Options>) => Promise<void>) =>
  async (...given: ReadonlyArray<unknown>): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & DatabaseOptions>()
    // A dynamic import, so that other commands start without loading the server.
    const admin = await import("@leadloom/server/internal/admin/Database")
    const { adminFailure } = await import("@leadloom/server/internal/admin/AdminFailed")
    const database = options.database === undefined ? undefined : await databaseUrl(terminal, options.database)
    const url = (): string => admin.databaseUrlOf(terminal.env, database)
    const showResult = (value: unknown, words: () => string): void =>
      show(terminal, options.json === true, value, words)
    try {
      await work({ options, terminal, admin, url, show: showResult })
    } catch (error) {
      const failure = adminFailure(error)
      if (failure === null) throw error
      const { interrupted, failed } = exitCodes
      throw failure.isInterrupted
        ? new CommandFailed(interrupted, "INTERRUPTED", failure.message)
        : new CommandFailed(failed, "DATABASE_FAILED", failure.message)
    }
  }
