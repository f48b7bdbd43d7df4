import type { Download, Request } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { sendersFor } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { readBytesData } from "../operation/Data.ts"
import { writeDownload } from "../operation/WriteDownload.ts"
import type { Terminal } from "../Terminal.ts"

interface ApiOptions {
  readonly data?: string
  readonly contentType: string
  readonly idempotencyKey?: string
  readonly out?: string
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** Returns the full path. A path that begins with no root of the server is relative to `/api/v1`. */
const fullPath = (given: string): string => {
  const path = given.replace(/^\/*/u, "/")
  return /^\/(?:api\/|health$|openapi\.json$|metrics$)/u.test(path) ? path : `/api/v1${path}`
}

const methodOf = (text: string): Request["method"] => {
  const method = methods.find((name) => name === text.toUpperCase())
  if (method === undefined) throw usageFailure(`${text} is not a method. Use ${methods.join(", ")}.`)
  return method
}

/** `leadloom api`: sends any request with the configured key, and writes the body of the response. */
export const apiCommand = (terminal: Terminal): Command =>
  new Command("api")
    .description("send a request to any path of the API; prints the body of the response")
    .argument("<method>", methods.join(", "))
    .argument("<path>", "path with query, below /api/v1 or complete")
    .option("--data <data>", "body: @<path>, - for standard input, or the body itself")
    .option("--content-type <type>", "media type of the body", "application/json")
    .option("--idempotency-key <key>", "the server carries out repeated commands with this key once")
    .option("--out <path>", "file for the response (default: standard output)")
    .action(
      action<ApiOptions>(terminal, async ({ connection, options }, verb = "", path = "") => {
        const { contentType: upload, data, idempotencyKey, out } = options
        const request: Request = {
          method: methodOf(verb),
          path: fullPath(path),
          file: true,
          keyless: "not-accepted",
          ...(data === undefined ? {} : { body: await readBytesData(terminal, data), upload })
        }
        const senders = sendersFor(connection, "operator")
        // The server rejects the user of an operation that is not one of agents.
        const sent = { idempotencyKey, actingUser: connection.actingUser }
        await writeDownload(terminal, await senders.call<Download>(request, sent), out)
      })
    )
