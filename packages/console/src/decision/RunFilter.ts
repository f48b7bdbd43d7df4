/** The filters of the list. The address of the page contains them. */
export interface RunFilter {
  readonly contactId?: string
  readonly leadId?: string
}

/** Reads the filters from an address. */
export const readRunFilter = ({ contactId, leadId }: Readonly<Record<string, unknown>>): RunFilter => ({
  ...(typeof contactId === "string" && contactId !== "" ? { contactId } : {}),
  ...(typeof leadId === "string" && leadId !== "" ? { leadId } : {})
})
