//! All tests that start servers, in one program, because linking several would take longer.

mod backends;
mod changes;
mod clock;
#[path = "differential/main.rs"]
mod differential;
mod entropy;
mod extension;
mod faults;
mod forms;
mod hooks;
mod horizon;
mod hostile;
mod partition_ddl;
mod scope;
mod seal;
mod search_path;
mod upgrade;
