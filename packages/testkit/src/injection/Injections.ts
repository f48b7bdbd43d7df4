/**
 * Hostile messages for tests of prompt injection. The defences belong in `core` and `connectors`. Tests:
 * `packages/core/test/workflow/pipeline/Injection.test.ts`, `packages/server/test/pipeline/Injection.test.ts`.
 */
import { disclosures } from "./Disclosures.ts"
import { disguises } from "./Disguises.ts"
import type { Injection } from "./Injection.ts"
import { overrides } from "./Overrides.ts"
import { persuasions } from "./Persuasions.ts"

/**
 * Hostile messages with published patterns, each with the reply of a model that obeys them. Wordings, names, numbers
 * and hosts are invented. Hosts end in the reserved `.example`, except where another host makes the attack stronger.
 */
export const injections: ReadonlyArray<Injection> = [...overrides, ...disclosures, ...disguises, ...persuasions]
