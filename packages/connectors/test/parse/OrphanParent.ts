import { subscribe } from "node:diagnostics_channel"
import type { ChildProcess } from "node:child_process"
import { mimeSource } from "@leadloom/core/internal/domain/email/MailSource"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { hostileProgram } from "@leadloom/testkit/Program"
import { Effect } from "effect"
import { defaultLimits } from "../../src/parse/ParseLimits.ts"
import { layerOf } from "../../src/parse/PooledParser.ts"

/**
 * A process that parses an endless mail and prints the ids of its parse processes when they work. The test kills it.
 */
const children: Array<ChildProcess> = []
subscribe("child_process", (message) => {
  const { process: child } = message as { readonly process: ChildProcess }
  children.push(child)
  queueMicrotask(() =>
    child.stderr?.once("data", () => process.stdout.write(JSON.stringify(children.map(({ pid }) => pid))))
  )
})

const parse = (subject: string, flow: string) =>
  Effect.flatMap(MailParser, (parser) =>
    parser.parse(Buffer.from(`Subject: ${subject}\r\n\r\nHi`), { flow, mediaType: mimeSource })
  )

// The first mails leave an idle process.
const both = Effect.andThen(
  Effect.all([parse("fine", "one"), parse("fine", "two")], { concurrency: 2 }),
  parse("loop", "one")
)
const hostile = hostileProgram(new URL("./HostileProgram.ts", import.meta.url))
await Effect.runPromise(
  Effect.provide(both, layerOf({ ...defaultLimits, deadlineMillis: 2_000, elapsedDeadlines: 1 }, hostile))
)
