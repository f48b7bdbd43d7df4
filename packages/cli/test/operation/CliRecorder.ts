import { AsyncLocalStorage } from "node:async_hooks"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Call, Example, Recorder } from "../../generate/ExampleRecorder.ts"
import { fakeTerminal, type Ran, runOn } from "../FakeTerminal.ts"
import { type CommandLine, commandLineOf } from "./CommandLines.ts"

/** Calls the operations of the example scenario through the command line. */
export interface CliRecorder extends Pick<Recorder, "add" | "call" | "examples"> {
  /** Runs a command with a key, or without one. */
  readonly run: (line: CommandLine, key: string | undefined) => Promise<Ran>
}

/** Marks requests of commands, because the example scenario also sends requests with the client. */
export const inCommand = new AsyncLocalStorage<true>()

/** Writes the emails of a request to files, because `leadloom import` reads files. */
const importLine = async (home: string, { body, params = {} }: Call): Promise<CommandLine> => {
  const folder = join(home, "mail")
  await mkdir(folder, { recursive: true })
  for (const [index, mail] of Object(body).mails.entries())
    await writeFile(join(folder, `${index}.eml`), Buffer.from(mail.raw, "base64"))
  return { args: ["import", folder, "--tenant", params["tenant_id"] ?? ""] }
}

/** Creates a recorder for the server at a URL. */
export const cliRecorder = (url: string, adminKey: string, home: string): CliRecorder => {
  const examples = new Map<string, Example>()
  const run: CliRecorder["run"] = ({ args, input = "" }, key) => {
    const keys = key === undefined ? {} : { [key === adminKey ? "LEADLOOM_ADMIN_KEY" : "LEADLOOM_API_KEY"]: key }
    const terminal = fakeTerminal(
      home,
      { LEADLOOM_URL: url, ...keys },
      { readInput: () => Promise.resolve(input), readBytes: () => Promise.resolve(new TextEncoder().encode(input)) }
    )
    return inCommand.run(true, () => runOn(terminal, [...args, "--json"]))
  }
  const lineOf = (operation: string, call: Call): CommandLine | Promise<CommandLine> =>
    operation === "import.email" ? importLine(home, call) : commandLineOf(operation, call)
  return {
    run,
    examples,
    call: async (operation, call = {}) => {
      const line = await lineOf(operation, call)
      const { err, exitCode, out } = await run(line, call.as ?? adminKey)
      if (exitCode !== 0) throw new Error(`leadloom ${line.args.join(" ")} ended with ${exitCode}: ${err}`)
      // A JSON result has several lines, except that of `api`. Files and the lines of event streams are not parsed.
      const response: unknown = out.startsWith("{\n") || line.args[0] === "api" ? JSON.parse(out) : undefined
      examples.set(operation, { parameters: {}, status: 200, request: call.body, response })
      return Object(response)
    },
    // These operations need a provider. Their failure is a response too.
    add: async (operation, { parameters, request }) => {
      await run(await lineOf(operation, { params: parameters, body: request }), adminKey)
    }
  }
}
