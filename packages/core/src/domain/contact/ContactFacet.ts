import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { FieldValue } from "../field/FieldValues.ts"
import { encodeUuid } from "../Id.ts"
import type { Contact } from "./Contact.ts"

/**
 * The facets of a contact: texts that the index of tags contains beside the tags, so that a filter by company or custom
 * field reads one range of that index. A tag never starts with a space (`normalizeTag`), and a facet always does. A
 * facet has at most 64 characters, like the tags of the index.
 */
export type Facet = ` ${string}`

/** FROZEN, because stored rows contain facets. Returns the facet of the contacts of a company. */
export const companyFacet = (companyId: string): Facet => ` company:${companyId}`

/**
 * FROZEN, because stored rows contain facets. Returns the facet of the contacts with one value of a custom field. The
 * checksum bounds the length.
 */
export const fieldFacet = (key: string, value: string | number | boolean): Facet =>
  ` field:${encodeUuid(sha256(utf8ToBytes(JSON.stringify([key, value]))).subarray(0, 16))}`

const facetsOfField = (key: string, value: FieldValue): ReadonlyArray<Facet> =>
  typeof value === "object" ? value.map((one) => fieldFacet(key, one)) : [fieldFacet(key, value)]

/** Returns the tags and facets of a contact, for the index. */
export const indexedTagsOf = ({ companyId, customFields, tags }: Contact): ReadonlyArray<string> => [
  ...tags,
  ...(companyId === null ? [] : [companyFacet(companyId)]),
  ...Object.entries(customFields).flatMap(([key, value]) => facetsOfField(key, value))
]
