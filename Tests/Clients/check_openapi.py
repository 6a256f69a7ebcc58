"""Checks a running `leap serve` with requests that schemathesis generates from /openapi.json: none causes a server error or
hangs, and every reply has a documented status, content type and schema.

    check_openapi.py URL MODEL [EXAMPLES]      schemathesis' own report; 1 if anything failed
"""

import pathlib
import subprocess
import sys
import tempfile

url = sys.argv[1]
examples = sys.argv[3] if len(sys.argv) > 3 else "8"
program = pathlib.Path(sys.executable).parent / "schemathesis"
checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

# Errors that are no failure: unsupported requests, and a server without free slots.
settings = pathlib.Path(tempfile.mkdtemp()) / "schemathesis.toml"
settings.write_text('[checks.not_a_server_error]\nexpected-statuses = ["2xx", "4xx", 501, 503]\n')

sys.exit(
    subprocess.run(
        [
            program, "--config-file", settings, "run", url + "/openapi.json", "--url", url, "--checks", checks,
            "--max-examples", examples, "--request-timeout", "60", "--phases", "examples,coverage,fuzzing",
            "--generation-deterministic",
        ],
        # It creates a folder in its working directory.
        cwd=settings.parent,
    ).returncode
)
