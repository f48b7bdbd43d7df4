import type { OverridableReason } from "@leadloom/core/internal/domain/consent/Override"

/**
 * Returns the details of a denied send. `reasons` contains all reasons, and `override` the reasons that a permitted
 * person may override.
 */
export const denialDetails = (reasons: ReadonlyArray<string>, overridable: ReadonlyArray<OverridableReason>) =>
  overridable.length === 0 ? { reasons: [...reasons] } : { reasons: [...reasons], override: [...overridable] }
