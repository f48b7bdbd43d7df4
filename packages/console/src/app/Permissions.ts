import { useConnection } from "./Connection.ts"
import type { Operation } from "./PermittedOperations.ts"

/**
 * Returns whether the signed-in person may perform an operation. Pages hide a control without the permission; the server
 * rejects the request regardless.
 */
export const useMay = (operation: Operation): boolean => useConnection().permitted.has(operation)
