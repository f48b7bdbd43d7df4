import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { tenantClient } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { secretOf } from "../Secret.ts"
import type { Terminal } from "../Terminal.ts"
import { forward, localSecret } from "../webhooks/Forward.ts"

interface ListenOptions {
  readonly tenant: string
  readonly forward: string
  readonly events?: string
  readonly secret?: string
  readonly secretFile?: string
}

/** Returns the given secret, or a new one, which it prints. */
const signingSecret = async (terminal: Terminal, { secret, secretFile }: ListenOptions): Promise<string> => {
  const given = await secretOf(terminal, secret, secretFile)
  if (given !== undefined) return given
  const created = localSecret()
  terminal.err(`Signing secret: ${created}\n`)
  return created
}

/** `leadloom webhooks listen`: forwards events to a local receiver that the server cannot reach over the internet. */
export const listenCommand = (terminal: Terminal): Command =>
  new Command("listen")
    .description("forward new events to a URL on this machine until Ctrl-C")
    .requiredOption("--tenant <id>", "tenant of the events")
    .requiredOption("--forward <url>", "URL of the receiver, such as http://127.0.0.1:3000/hooks")
    .option("--events <types>", "comma-separated event types (default: all)")
    .option("--secret-file <path>", "file with the secret for signatures (default: a new secret, which is printed)")
    .addOption(
      new Option("--secret <secret>", "the secret itself; other users of the machine can see it").conflicts(
        "secretFile"
      )
    )
    .action(
      action<ListenOptions>(terminal, async ({ connection, options }) => {
        if (!/^https?:\/\//u.test(options.forward) || !URL.canParse(options.forward)) {
          throw usageFailure(`${options.forward} is not a valid URL. Use a URL such as http://127.0.0.1:3000/hooks.`)
        }
        const client = tenantClient(connection)
        const secret = await signingSecret(terminal, options)
        const onOpen = (): void => terminal.err(`Forwarding events to ${options.forward}\n`)
        const { signal } = terminal
        for await (const event of client.eventFeed.stream(options.tenant, { types: options.events, signal, onOpen })) {
          const outcome = await forward(options.forward, event, secret, signal)
          const line = { sequence: Number(event.id), event_type: event.type, outcome }
          terminal.out(
            options.json === true ? `${JSON.stringify(line)}\n` : `${event.id} ${event.type} -> ${outcome}\n`
          )
        }
      })
    )
