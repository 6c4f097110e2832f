/**
 * Stands for a secret of an imported object that the service does not return and Pulumi does not know. The object
 * keeps its secret. The placeholder shows no change and is never sent; a change that must send it is refused.
 */
export const notReturned = "tunnel-gateway:not-returned";
