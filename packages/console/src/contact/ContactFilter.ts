import type { ContactFilter } from "@leadloom/client"
import { textParameters } from "../design/Address.ts"

/** The orders of the list of contacts. */
export type ContactSort = "last_activity" | "created" | "name"

/** The filters and the order of the list. The address of the page contains them. */
export interface ContactSearch {
  readonly tier?: ContactFilter["tier"]
  readonly state?: ContactFilter["state"]
  readonly channel?: ContactFilter["channel"]
  readonly consent?: ContactFilter["consent"]
  readonly tag?: string | undefined
  readonly company_id?: string | undefined
  readonly archived?: boolean | undefined
  /** The segment instead of the filters. */
  readonly segment?: string | undefined
  readonly sort?: ContactSort | undefined
}

const names = ["tier", "state", "channel", "consent", "tag", "company_id", "segment", "sort"] as const

/** Reads the filters from an address. The server rejects invalid values. */
export const readContactSearch = (search: Readonly<Record<string, unknown>>): ContactSearch => ({
  ...textParameters(search, names),
  ...(search["archived"] === true ? { archived: true } : {})
})

/** Returns the filters that a segment can store. */
export const filterOf = ({ segment: _, sort: _sort, ...filter }: ContactSearch): ContactFilter => filter
