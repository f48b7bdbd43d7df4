import type { OverridableReason } from "@leadloom/core/domain/consent/Override"

/** Why a message may not go; `override`: what a permitted person may set aside for it, where that would let it out. */
export const denialDetails = (reasons: ReadonlyArray<string>, overridable: ReadonlyArray<OverridableReason>) =>
  overridable.length === 0 ? { reasons: [...reasons] } : { reasons: [...reasons], override: [...overridable] }
