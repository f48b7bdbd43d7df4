import type { Download, Request } from "@leadloom/client"
import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { sendersFor } from "../Connection.ts"
import { readJsonData } from "../operation/Data.ts"
import { writeDownload } from "../operation/WriteDownload.ts"
import type { Terminal } from "../Terminal.ts"

interface ExportOptions {
  readonly tenant: string
  readonly segment?: string
  readonly data?: string
  readonly archived?: boolean
  readonly out?: string
}

/** Returns the request of an export. `filters` are those of the contact list; undefined: none. */
const requestOf = ({ archived, segment, tenant }: ExportOptions, filters: unknown): Request => {
  const base = `/api/v1/tenants/${encodeURIComponent(tenant)}`
  const csv = { headers: { accept: "text/csv" }, file: true } as const
  if (filters !== undefined) return { method: "POST", path: `${base}/contacts/enriched`, body: filters, ...csv }
  const path = segment === undefined ? `${base}/contacts` : `${base}/segments/${encodeURIComponent(segment)}/contacts`
  return { method: "GET", path, query: { archived }, ...csv }
}

const exportContacts = (terminal: Terminal): Command =>
  new Command("export")
    .description("write contacts as CSV, with the columns that `contact-imports start` reads")
    .requiredOption("--tenant <id>", "tenant of the contacts")
    .option("--segment <id>", "only the members of this segment")
    .addOption(new Option("--archived", "archived contacts instead of active ones").conflicts("segment"))
    .addOption(
      new Option("--data <json>", "filters of the contact list: JSON, @file or - for standard input").conflicts([
        "archived",
        "segment"
      ])
    )
    .option("--out <path>", "file for the contacts (default: standard output)")
    .action(
      action<ExportOptions>(terminal, async ({ connection, options }) => {
        const filters = options.data === undefined ? undefined : await readJsonData(terminal, options.data)
        const senders = sendersFor(connection, "operator")
        await writeDownload(terminal, await senders.call<Download>(requestOf(options, filters), {}), options.out)
      })
    )

/** `leadloom contacts`: the export. The other commands of this group are derived from the contract. */
export const contactsCommand = (terminal: Terminal): Command =>
  new Command("contacts")
    .description("People and businesses that write to a tenant")
    .addCommand(exportContacts(terminal))
