using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = [
        (name = "worker.mjs", esModule = embed "worker.mjs"),
        (name = "redslot.wasm", wasm = embed "redslot.wasm"),
      ],
      bindings = [(name = "REDIS_CLUSTER", fromEnvironment = "REDIS_CLUSTER")],
      compatibilityDate = "2026-11-01",
    )),
    # Sockets to this machine, which are forbidden otherwise.
    (name = "internet", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
