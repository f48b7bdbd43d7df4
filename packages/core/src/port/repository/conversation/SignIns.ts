import type { Effect } from "effect"
import { Context } from "effect"
import type { SignIn } from "../../../domain/email/SignIn.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

/** Sign-ins that have been begun and not ended. */
export class SignIns extends Context.Service<
  SignIns,
  {
    /** Keeps a sign-in, and forgets those of the tenant that have expired. */
    readonly begin: (signIn: SignIn, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Ends a sign-in of this principal: it is there once. False: it never was, was ended, or has expired. */
    readonly end: (signIn: Omit<SignIn, "expiresAt">, now: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/conversation/SignIns") {}
