/** The option exclusiveAddresses. */
import { emulators } from "../support/emulators";

const start = emulators();
const hostport = "database.example.com:5432";

type Body = Record<string, unknown>;

async function api(exclusiveAddresses: boolean) {
  const { baseUrl, apiKey } = await start({ exclusiveAddresses });
  return async (method: string, path: string, body: Body): Promise<{ status: number; id: string }> => {
    const response = await fetch(baseUrl + path, {
      ...{ method, body: JSON.stringify(body) },
      headers: {
        ...{ Authorization: `Bearer ${apiKey}`, "service-version": "2" },
        "Content-Type": "application/json",
      },
    });
    const { id } = (await response.json()) as { id: string };
    return { status: response.status, id };
  };
}

it("refuses an address that another edge or endpoint serves, at creations and updates", async () => {
  const send = await api(true);
  const { id } = await send("POST", "/edges/tcp", { hostports: [hostport] });
  expect((await send("POST", "/edges/tcp", { hostports: [hostport] })).status).toBe(400);
  expect((await send("POST", "/endpoints", { url: `tcp://${hostport}` })).status).toBe(400);
  expect((await send("PATCH", `/edges/tcp/${id}`, { hostports: [hostport], description: "x" })).status).toBe(
    200,
  );
  const other = await send("POST", "/edges/tcp", {});
  expect((await send("PATCH", `/edges/tcp/${other.id}`, { hostports: [hostport] })).status).toBe(400);
});

it("lets endpoints share an address that both pool", async () => {
  const send = await api(true);
  const url = "https://hello.example.com";
  const pooled = { url, pooling_enabled: true };
  expect((await send("POST", "/endpoints", pooled)).status).toBe(201);
  expect((await send("POST", "/endpoints", pooled)).status).toBe(201);
  expect((await send("POST", "/endpoints", { url })).status).toBe(400);
});

it("is off by default, because the specification states no such rule", async () => {
  const send = await api(false);
  for (let i = 0; i < 2; i += 1)
    expect((await send("POST", "/edges/tcp", { hostports: [hostport] })).status).toBe(201);
});
