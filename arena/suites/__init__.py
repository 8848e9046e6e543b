"""Files in, domain out: suites, the workspace's configuration, where both are found.

Every complaint carries file:line (or the record's number) and the key at fault.
"""
