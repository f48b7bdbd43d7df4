declare const idOf: unique symbol

/**
 * The id of one kind of object. Every string is assignable to it, so callers can pass ids from a database unchanged.
 * The id of another kind is not assignable: `leads.get(tenant, contact.id)` does not compile. The type has no cost at
 * run time.
 */
export type Id<Kind extends string> = string & { readonly [idOf]?: Kind }
