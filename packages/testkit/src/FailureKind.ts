import { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"

/** Returns the reason of a provider's failure, or the tag of another error. */
export const kindOf = (failure: { readonly _tag: string }): string =>
  failure instanceof ProviderFailure ? failure.reason._tag : failure._tag
