import type { MovedKind } from "@leadloom/core/internal/domain/contact/ContactMerge"

/** Returns a subquery for the recorded ids of a merge. Its parameters are the tenant and the merge. */
export const itemsOf = (kind: MovedKind, item = "i.item_id"): string =>
  `(SELECT ${item} FROM contact_merge_items i WHERE i.tenant_id = ? AND i.merge_id = ? AND i.kind = '${kind}')`

/**
 * Returns a statement that records rows as moved by a merge. In `select`, the table has the alias `t`. The first
 * parameter is the merge.
 */
export const note = (kind: MovedKind, select: string): string =>
  `INSERT INTO contact_merge_items (tenant_id, merge_id, kind, item_id)
    SELECT t.tenant_id, ?, '${kind}', ${select} ON CONFLICT (tenant_id, merge_id, kind, item_id) DO NOTHING`

/** A condition: `t` belongs to a recorded lead. Its parameters are the tenant and the merge. */
export const ofLead = `t.lead_id IN ${itemsOf("lead")}`
