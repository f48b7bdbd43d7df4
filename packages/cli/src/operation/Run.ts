import type { Download, ListRequest, Senders } from "@leadloom/client"
import { sendersFor } from "../Connection.ts"
import { formatOf } from "../format/Formats.ts"
import { buildRequest, type Context } from "./BuildRequest.ts"
import type { Operation } from "./Operation.ts"
import type { CommonOptions } from "./Options.ts"
import { writeDownload } from "./WriteDownload.ts"

/** The time limit of a request that uploads a file, in milliseconds. */
const uploadTimeoutMs = 3_600_000

/** The JSON object of a response. */
type Page = Readonly<Record<string, unknown>>

/** Reads all pages of a list. Returns the last page with the items of all pages. */
const readAll = async (pages: AsyncIterable<Page>, items: ReadonlyArray<string>): Promise<Page> => {
  const all = new Map<string, Array<unknown>>(items.map((field) => [field, []]))
  let last: Page = {}
  for await (const page of pages) {
    for (const [field, collected] of all) for (const item of Object(page)[field] ?? []) collected.push(item)
    last = page
  }
  return { ...last, ...Object.fromEntries(all) }
}

const readJson = async (
  request: ListRequest,
  { idempotencyKey, ifVersion, all }: CommonOptions,
  { list }: Senders
): Promise<Page> => {
  const timeoutMs = request.upload === undefined ? undefined : uploadTimeoutMs
  const pages = list<Page, unknown>(request, { idempotencyKey, ifMatch: ifVersion, timeoutMs })
  return all === true ? readAll(pages.pages(), request.items) : pages
}

/** Writes a JSON response as JSON with `--json`, and in the form of its operation otherwise. */
const showJson = ({ id }: Operation, { options, show, terminal }: Context, value: Page): void => {
  show(value, () => formatOf(id)?.(value) ?? `${JSON.stringify(value, null, 2)}\n`)
  const next = value["next_cursor"]
  if (options.json !== true && typeof next === "string") terminal.err(`Next page: --cursor ${next}. All pages: --all\n`)
}

/** Writes each event as one line of JSON, until the stream ends or the user interrupts it. */
const showEvents = async ({ terminal }: Context, { follow }: Senders, request: ListRequest): Promise<void> => {
  const { signal } = terminal
  for await (const { event } of follow<unknown>(request, { signal })) terminal.out(`${JSON.stringify(event)}\n`)
}

/** Carries out the command of an operation: sends its request and writes the response. */
export const runOperation = async (
  operation: Operation,
  context: Context,
  args: ReadonlyArray<string>
): Promise<void> => {
  const request = await buildRequest(operation, context, args)
  const senders = sendersFor(context.connection, operation.credential)
  switch (operation.result) {
    case "events":
      return showEvents(context, senders, request)
    case "file": {
      const { idempotencyKey, out } = context.options
      return writeDownload(context.terminal, await senders.call<Download>(request, { idempotencyKey }), out)
    }
    case "json": {
      // A response with the status 204 has no body.
      const value = (await readJson(request, context.options, senders)) as Page | undefined
      return showJson(operation, context, value ?? { success: true })
    }
  }
}
