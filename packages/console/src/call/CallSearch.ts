import type { CallsListOptions } from "@leadloom/client"
import { textParameters } from "../design/Address.ts"

/** The filters of the calls. The address of the page contains them. */
export type CallSearch = Pick<CallsListOptions, "status" | "direction">

const names = ["status", "direction"] as const

/** Reads the filters from an address. The server rejects invalid values. */
export const readCallSearch = (search: Readonly<Record<string, unknown>>): CallSearch => textParameters(search, names)
