import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { FileValues } from "@leadloom/server/internal/config/EnvironmentFile"
import { Command } from "commander"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed, usageFailure } from "../Failure.ts"
import { show } from "../Output.ts"
import { databaseHelp, databaseUrl } from "../Secret.ts"
import type { Terminal } from "../Terminal.ts"

interface InitOptions {
  readonly out: string
  readonly host?: string
  readonly port?: string
  readonly dataDir?: string
  readonly database?: string
  readonly publicUrl?: string
  readonly json?: boolean
}

/** 32 random bytes as hexadecimal digits, which every file format and header can contain. */
const newSecret = (): string => randomBytes(32).toString("hex")

/**
 * Returns the values that the options set, and new keys. If the data directory already contains a secret key, its
 * database needs that key, so none is generated.
 */
const valuesOf = ({ dataDir, database, host, port, publicUrl }: InitOptions, hasSecretKey: boolean): FileValues => ({
  ...(host === undefined ? {} : { LEADLOOM_HOST: host }),
  ...(port === undefined ? {} : { LEADLOOM_PORT: port }),
  ...(publicUrl === undefined ? {} : { LEADLOOM_PUBLIC_URL: publicUrl }),
  ...(dataDir === undefined ? {} : { LEADLOOM_DATA_DIR: dataDir }),
  ...(database === undefined ? {} : { LEADLOOM_DATABASE_URL: database }),
  LEADLOOM_ADMIN_KEY: newSecret(),
  LEADLOOM_SESSION_SECRET: newSecret(),
  ...(hasSecretKey ? {} : { LEADLOOM_SECRET_KEY: newSecret() })
})

const notWritten = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new CommandFailed(
    exitCodes.failed,
    "NOT_WRITTEN",
    `Cannot write ${file} (${error.code}). Pass a file in a folder that you own.`
  )
}

const writeNew = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch(notWritten(file))
  await writeFile(file, text, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") return notWritten(file)(error)
    const message = `${file} already exists and may contain keys in use. Pass another file with --out.`
    throw new CommandFailed(exitCodes.conflict, "FILE_EXISTS", message)
  })
}

const init = async (terminal: Terminal, options: InitOptions): Promise<void> => {
  // A dynamic import, so that other commands start without loading the configuration.
  const { environmentFile, unportable } = await import("@leadloom/server/internal/config/EnvironmentFile")
  const { checkEnvironment } = await import("@leadloom/server/internal/config/CheckEnvironment")
  const dataDir = resolve(options.dataDir ?? (terminal.env["LEADLOOM_DATA_DIR"]?.trim() || "leadloom-data"))
  const hasSecretKey = existsSync(join(dataDir, "secret.key"))
  const values = valuesOf(options, hasSecretKey)
  const [name] = unportable(values)
  if (name !== undefined)
    throw usageFailure(`The value of ${name} contains spaces, quotes, $, # or \\. Use a value without them.`)
  const { mistakes } = checkEnvironment(values)
  if (mistakes.length > 0) throw usageFailure(mistakes.join("\n"))
  const text = environmentFile(values, options.port === undefined ? null : `http://127.0.0.1:${options.port}`)
  if (options.out === "-") return terminal.out(text)
  const file = resolve(options.out)
  await writeNew(file, text)
  const set = Object.keys(values)
  const kept = hasSecretKey ? `The secret key stays in ${join(dataDir, "secret.key")}.\n` : ""
  show(terminal, options.json === true, { file, variables: set }, () =>
    [
      `Wrote ${file} with new keys. Only you can read it. Back it up.\n`,
      kept,
      `Start the server with: leadloom serve --env-file ${options.out}\n`
    ].join("")
  )
}

/** `leadloom init`: writes the environment file of a new server. Asks no questions. */
export const initCommand = (terminal: Terminal): Command =>
  new Command("init")
    .description("write a commented environment file with new keys; never overwrites a file")
    .requiredOption("--out <file>", "path of the file; - is standard output")
    .option("--host <address>", "address to listen on (LEADLOOM_HOST)")
    .option("--port <number>", "port to listen on (LEADLOOM_PORT)")
    .option("--public-url <url>", "URL at which providers reach the server (LEADLOOM_PUBLIC_URL)")
    .option("--data-dir <path>", "data directory (LEADLOOM_DATA_DIR)")
    .option("--database <url>", `${databaseHelp} (LEADLOOM_DATABASE_URL)`)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<InitOptions>()
      const { database } = options
      const read = database === undefined ? {} : { database: await databaseUrl(terminal, database) }
      await init(terminal, { ...options, ...read })
    })
