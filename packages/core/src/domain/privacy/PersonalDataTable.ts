/** How a column is written in an archive; `?`: it may be null. Times are ISO 8601 there and epoch milliseconds here. */
export type ColumnType = "text" | "text?" | "integer" | "integer?" | "time" | "time?" | "flag" | "json" | "json?"

/** What makes a row part of what is kept of one contact. */
export type Belonging =
  /** It names the contact, in any of these columns. */
  | { readonly by: "contact"; readonly columns: ReadonlyArray<string> }
  /** The column names one of the contact's messages, its thread or its signal. */
  | { readonly by: "message"; readonly column: string; readonly field: "message_id" | "thread_id" | "signal_id" }
  /** The column names one of the contact's leads. */
  | { readonly by: "lead"; readonly column: string }
  /** The column names a merge that the contact was part of. */
  | { readonly by: "merge"; readonly column: string }
  /** The column is an address or a number that the contact holds. */
  | { readonly by: "address"; readonly column: string }

/** One kind of thing that is kept for a tenant: how it is read page by page, written out, taken in and erased. */
export interface PersonalDataTable {
  /** Its table. */
  readonly name: string
  /**
   * Its folder in an archive and its name in receipts, where that differs from the table's. Version 1 of the archive and
   * the hash of a receipt are frozen: both keep the name that a table had before it was renamed.
   */
  readonly folder?: string
  /** What a row is found by within its tenant, and walked by, in this order. */
  readonly key: ReadonlyArray<string>
  /** Every column but `tenant_id`. Of kinds that do not travel only the key. */
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly belongs: Belonging
  /** Null: it travels. Else why it stays where it is. */
  readonly excludedBecause: string | null
  /**
   * What has to agree for a row that is there already to be the one that comes. The rest may have moved on since: what
   * is there stays as it is.
   */
  readonly same: ReadonlyArray<string>
  /** Texts that may be long: pages are bounded by them. */
  readonly long: ReadonlyArray<string>
  /**
   * Columns by which the rows of one contact are walked, which never change and end with the key: an index has them in
   * this order behind the contact, so that a page costs the same wherever it lies. Null: no index does, and all the keys
   * that are left are sorted for as many pages as `maxKeysPerPass` fills.
   */
  readonly walk: ReadonlyArray<string> | null
}

/** The name of a kind outside the database: in archives, in the report of an import and in receipts. */
export const folderOf = ({ folder, name }: Pick<PersonalDataTable, "folder" | "name">): string => folder ?? name

/** Of a kind that goes into archives, unless it says otherwise. */
export const exportable = { excludedBecause: null, same: [], long: [], walk: null }

/** Of a kind whose rows name their contact. */
export const ofContact: Belonging = { by: "contact", columns: ["contact_id"] }
