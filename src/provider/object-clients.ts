/** Which client works on the objects of a declaration. */
import type { Declaration } from "../schema/declaration";
import { EntrySetClient } from "./entry-set-client";
import type { Http } from "./http";
import { RotatingClient } from "./rotating-client";
import { CollectionClient, PathClient } from "./object-client";
import type { ObjectClient } from "./object-client";

/** The client for the objects of a declaration; it remembers what it did, so there is one for a connection. */
export function objectClient(declaration: Declaration, http: Http): ObjectClient {
  switch (declaration.style) {
    case "collection":
      return new CollectionClient(declaration, http);
    case "entries":
      return new EntrySetClient(declaration, http);
    case "rotation":
      return new RotatingClient(declaration, http);
    case "singleton":
    case "member":
      return new PathClient(declaration, http);
  }
}
