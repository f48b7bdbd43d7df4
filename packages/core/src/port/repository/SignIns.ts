import { Context, Effect, Layer } from "effect"
import type { SignIn } from "../../domain/email/SignIn.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, keyOf, MemoryState } from "../../memory/MemoryState.ts"

/** Sign-ins that have been begun and not ended. */
export class SignIns extends Context.Service<
  SignIns,
  {
    /** Keeps a sign-in, and forgets those of the tenant that have expired. */
    readonly begin: (signIn: SignIn, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Ends a sign-in of this principal: it is there once. False: it never was, was ended, or has expired. */
    readonly end: (signIn: Omit<SignIn, "expiresAt">, now: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/SignIns") {
  static readonly layerMemory: Layer.Layer<SignIns> = Layer.effect(
    SignIns,
    Effect.map(MemoryState, ({ signIns }) =>
      SignIns.of({
        begin: (signIn, now) =>
          Effect.suspend(() => {
            for (const [key, { expiresAt, tenantId }] of signIns)
              if (tenantId === signIn.tenantId && expiresAt <= now) signIns.delete(key)
            return addNew(signIns, keyOf(signIn.tenantId, signIn.stateHash), signIn)
          }),
        end: ({ principal, stateHash, tenantId }, now) =>
          Effect.sync(() => {
            const key = keyOf(tenantId, stateHash)
            const there = signIns.get(key)
            if (there === undefined || there.principal !== principal || there.expiresAt <= now) return false
            return signIns.delete(key)
          })
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
