import { Command } from "commander"
import { action } from "../Action.ts"
import { exitCodes } from "../ExitCode.ts"
import { CommandFailed, usageFailure } from "../Failure.ts"
import type { Terminal } from "../Terminal.ts"
import { followEvents, StreamRefused } from "../webhooks/EventStream.ts"
import { forward, localSecret } from "../webhooks/Forward.ts"

interface ListenOptions {
  readonly tenant: string
  readonly forward: string
  readonly events?: string
  readonly secret?: string
}

const codes: Readonly<Record<number, number>> = {
  401: exitCodes.notAuthorised,
  403: exitCodes.notAuthorised,
  404: exitCodes.notFound
}

const refused = (error: unknown): unknown =>
  error instanceof StreamRefused
    ? new CommandFailed(codes[error.status] ?? exitCodes.failed, "STREAM_REFUSED", error.message)
    : error

/** `leadloom webhooks listen`: for whoever writes a receiver on a machine that no server on the internet can reach. */
export const listenCommand = (terminal: Terminal): Command =>
  new Command("listen")
    .description("post events to an address of this machine as they happen, until Ctrl-C")
    .requiredOption("--tenant <id>", "of this tenant")
    .requiredOption("--forward <url>", "where to, for example http://127.0.0.1:3000/hooks")
    .option("--events <types>", "these only, separated by commas")
    .option("--secret <secret>", "sign with this one; default: a new one, which is printed")
    .action(
      action<ListenOptions>(terminal, async ({ connection, options }) => {
        if (!/^https?:\/\//u.test(options.forward) || !URL.canParse(options.forward)) {
          throw usageFailure(`${options.forward} is not an address to post to, such as http://127.0.0.1:3000/hooks.`)
        }
        const credential = connection.apiKey ?? connection.adminKey
        if (credential === undefined) {
          throw new CommandFailed(
            exitCodes.notAuthorised,
            "NO_KEY",
            "Give an API key in LEADLOOM_API_KEY, or the admin key."
          )
        }
        const secret = options.secret ?? localSecret()
        terminal.err(`Deliveries are signed with ${secret}\n`)
        const place = { url: connection.url, credential, tenant: options.tenant, types: options.events }
        const opened = (): void => terminal.err(`Listening; what happens is posted to ${options.forward}\n`)
        try {
          for await (const event of followEvents(place, terminal.signal, opened)) {
            const outcome = await forward(options.forward, event, secret, terminal.signal)
            const line = { sequence: Number(event.id), event_type: event.type, outcome }
            terminal.out(
              options.json === true ? `${JSON.stringify(line)}\n` : `${event.id} ${event.type} -> ${outcome}\n`
            )
          }
        } catch (error) {
          throw refused(error)
        }
      })
    )
