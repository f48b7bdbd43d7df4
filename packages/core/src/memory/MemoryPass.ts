import type { ContactId } from "../domain/Id.ts"

/** Something that a contact has. */
export interface Owned {
  readonly tenantId: string
  readonly contactId: ContactId
}

/** Gives the things of one contact that `wanted` says to another; returns their ids. */
export const pass = <A extends Owned>(
  things: Map<string, A>,
  { from, tenantId, to }: { readonly tenantId: string; readonly from: ContactId; readonly to: ContactId },
  idOf: (thing: A) => string,
  wanted: (thing: A) => boolean = () => true
): Set<string> => {
  const passed = new Set<string>()
  for (const [key, thing] of things) {
    if (thing.tenantId !== tenantId || thing.contactId !== from || !wanted(thing)) continue
    things.set(key, { ...thing, contactId: to })
    passed.add(idOf(thing))
  }
  return passed
}
