import { BadRequest } from "@leadloom/api/errors"

/** A field of the request that does not do. */
export const field = (path: string, message: string) =>
  BadRequest.of("The request has a field that does not do.", [{ path, message }])
