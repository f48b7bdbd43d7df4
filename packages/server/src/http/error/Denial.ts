import type { OverridableReason } from "@leadloom/core/domain/consent/Override"

/**
 * The details of a denied send: `reasons` contains all reasons, and `override` those that a permitted person may
 * override.
 */
export const denialDetails = (reasons: ReadonlyArray<string>, overridable: ReadonlyArray<OverridableReason>) =>
  overridable.length === 0 ? { reasons: [...reasons] } : { reasons: [...reasons], override: [...overridable] }
