import { disclosures } from "./Disclosures.ts"
import { disguises } from "./Disguises.ts"
import type { Injection } from "./Injection.ts"
import { overrides } from "./Overrides.ts"
import { persuasions } from "./Persuasions.ts"

/**
 * Hostile messages after published patterns, each with what a model would answer that obeys them. Wordings, names,
 * numbers and hosts are our own; hosts end in the reserved `.example` where that does not spoil the point.
 */
export const injections: ReadonlyArray<Injection> = [...overrides, ...disclosures, ...disguises, ...persuasions]
