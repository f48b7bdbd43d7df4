import { Context, Effect, Layer } from "effect"
import type { Task } from "../task/Task.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "./MemoryState.ts"

/** The work queue of people. */
export class Tasks extends Context.Service<
  Tasks,
  {
    readonly insert: (task: Task) => Effect.Effect<void, StoreUnavailable>
    /** Tasks of a contact, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
  }
>()("core/port/Tasks") {
  static readonly layerMemory: Layer.Layer<Tasks> = Layer.effect(
    Tasks,
    Effect.map(MemoryState, (state) => {
      return Tasks.of({
        insert: (task) => addNew(state.tasks, keyOf(task.tenantId, task.taskId), task),
        ofContact: (tenantId, contactId) =>
          Effect.sync(() =>
            ofTenant(state.tasks, tenantId)
              .filter((task) => task.contactId === contactId)
              .toSorted(
                by(
                  (task) => task.createdAt,
                  (task) => task.taskId
                )
              )
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
