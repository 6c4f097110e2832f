/**
 * Stands for a secret of an imported object that the service does not return and nobody told Pulumi: the object
 * keeps what it has. It shows no change and is never sent; what would have to send it is refused.
 */
export const notReturned = "tunnel-gateway:not-returned";
