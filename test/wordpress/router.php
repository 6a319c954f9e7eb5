<?php
// What a web server's rewrite rules do: files are served as they are, everything else is WordPress's.

$path = rawurldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );
$root = $_SERVER['DOCUMENT_ROOT'];
$file = realpath( $root . $path );

if ( $file && str_starts_with( $file, $root . '/' ) ) {
	if ( is_file( $file ) || is_file( $file . '/index.php' ) ) {
		return false;
	}
}

// php -S guesses these from the path, and guesses wrong where a segment holds a dot.
$_SERVER['SCRIPT_NAME']     = '/index.php';
$_SERVER['PHP_SELF']        = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = $root . '/index.php';
if ( str_starts_with( $path, '/index.php/' ) ) {
	$_SERVER['PATH_INFO'] = substr( $path, strlen( '/index.php' ) );
} else {
	unset( $_SERVER['PATH_INFO'] );
}

chdir( $root );
require $root . '/index.php';
