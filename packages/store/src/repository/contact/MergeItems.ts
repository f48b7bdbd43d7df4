import type { MovedKind } from "@leadloom/core/domain/contact/ContactMerge"

/** The ids that are noted of a merge; its parameters are tenant and merge. */
export const itemsOf = (kind: MovedKind, item = "i.item_id"): string =>
  `(SELECT ${item} FROM contact_merge_items i WHERE i.tenant_id = ? AND i.merge_id = ? AND i.kind = '${kind}')`

/** Notes rows of a table, `t` in what selects them, as moved by a merge; its first parameter is the merge. */
export const note = (kind: MovedKind, select: string): string =>
  `INSERT INTO contact_merge_items (tenant_id, merge_id, kind, item_id)
    SELECT t.tenant_id, ?, '${kind}', ${select} ON CONFLICT (tenant_id, merge_id, kind, item_id) DO NOTHING`

/** Whether `t` is of a lead that is noted; its parameters are tenant and merge. */
export const ofLead = `t.lead_id IN ${itemsOf("lead")}`
